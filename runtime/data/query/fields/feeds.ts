/** `feeds`: types of feeds, and the feeds that there are. */
import type { QueryField } from '../model.ts'
import { feedsJson } from '../writes/activities.ts'

export const feeds: QueryField = {
  kind: 'query',
  name: 'feeds',
  sdl: 'feeds: [ActivityStreamsFeed] @public',
  build: feedsJson,
}
