/** `admin_translation_unset`: removes a translation that was set. */
import type { MutationField } from '../model.ts'
import { unsetTranslation, announceTranslations } from '../writes/translations.ts'

export const admin_translation_unset: MutationField = {
  kind: 'mutation',
  name: 'admin_translation_unset',
  sdl: 'admin_translation_unset(key: String!, locale: String!): Translation',
  runEffects: announceTranslations,
  build: unsetTranslation,
}
