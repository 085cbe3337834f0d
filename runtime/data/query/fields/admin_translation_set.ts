/** `admin_translation_set`: sets a translation. */
import type { MutationField } from '../model.ts'
import { translation } from '../sdl/translation.ts'
import { setTranslation, announceTranslations } from '../writes/translations.ts'

export const admin_translation_set: MutationField = {
  kind: 'mutation',
  name: 'admin_translation_set',
  sdl: 'admin_translation_set(translation: TranslationInputType!): Translation',
  types: translation,
  runEffects: announceTranslations,
  build: setTranslation,
}
