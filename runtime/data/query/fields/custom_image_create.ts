/** `custom_image_create`: fetches an image for a row, under the name of a property, and creates the versions that the property declares. */
import type { MutationField } from '../model.ts'
import { customImage } from '../sdl/custom-image.ts'
import { createCustomImage } from '../writes/custom-image.ts'

export const custom_image_create: MutationField = {
  kind: 'mutation',
  name: 'custom_image_create',
  sdl: 'custom_image_create(custom_image: NewCustomImageInputType!, form_configuration_name: String, form_name: String): CustomImage @deprecated @public',
  types: customImage,
  build: createCustomImage,
}
