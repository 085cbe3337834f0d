/** `activity_publish`: adds an activity to feeds. */
import type { MutationField } from '../model.ts'
import { publishActivity } from '../writes/activities.ts'

export const activity_publish: MutationField = {
  kind: 'mutation',
  name: 'activity_publish',
  sdl: 'activity_publish(at: ISO8601DateTime, feed_type: String!, ids: [ID]!, uuid: ID!): JSONDate @public',
  build: (call, build) => publishActivity(call, build),
}
