/** `streams`: the activities of one feed, newest first, and the number of new ones. */
import type { QueryField } from '../model.ts'
import { streamsJson } from '../writes/activities.ts'

export const streams: QueryField = {
  kind: 'query',
  name: 'streams',
  sdl: 'streams(feed_id: ID, feed_name: String, feed_type: String!, page: Int = 1, per_page: Int = 20, reset_last_read: Boolean = true): ActivityStreamsActivityStreamCollection @public',
  build: streamsJson,
}
