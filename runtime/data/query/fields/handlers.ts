/** `handlers`: the handlers of activities. The list is always empty. */
import { pageOfItems } from '../memory-collection.ts'
import type { SiteField } from '../model.ts'
import { absent } from '../sdl/absent.ts'

export const handlers: SiteField = {
  kind: 'site',
  name: 'handlers',
  sdl: 'handlers(page: Int = 1, per_page: Int = 20): ActivityStreamsHandlerCollection @public',
  types: absent,
  value: async (args) => pageOfItems([], args),
}
