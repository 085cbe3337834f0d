/** `feeds`: the types of feeds, and the existing feeds. */
import type { QueryField } from '../model.ts'
import { feedsJson } from '../writes/activities.ts'

export const feeds: QueryField = {
  kind: 'query',
  name: 'feeds',
  sdl: 'feeds: [ActivityStreamsFeed] @public',
  build: feedsJson,
}
