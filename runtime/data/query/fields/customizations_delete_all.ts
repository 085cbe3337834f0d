/** `customizations_delete_all`: older name of `models_delete_all`. */
import type { MutationField } from '../model.ts'
import { models_delete_all } from './models_delete_all.ts'

export const customizations_delete_all: MutationField = {
  ...models_delete_all,
  name: 'customizations_delete_all',
  sdl: models_delete_all.sdl.replace(/^models_/, 'customizations_'),
}
