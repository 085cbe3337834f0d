/** In a browser no languages are held against each other. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'

export function checkTranslations(): readonly Diagnostic[] {
  return []
}
