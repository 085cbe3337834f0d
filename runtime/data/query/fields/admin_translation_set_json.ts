/** `admin_translation_set_json`: sets a tree of translations. */
import type { MutationField } from '../model.ts'
import { setTranslations, announceTranslations } from '../writes/translations.ts'

export const admin_translation_set_json: MutationField = {
  kind: 'mutation',
  name: 'admin_translation_set_json',
  sdl: 'admin_translation_set_json(strategy: TranslationJsonStrategy!, translation: TranslationJsonInputType!): TranslationJson',
  runEffects: announceTranslations,
  build: setTranslations,
}
