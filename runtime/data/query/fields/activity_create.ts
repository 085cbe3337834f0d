/** `activity_create`: stores an activity. */
import type { MutationField } from '../model.ts'
import { createActivity } from '../writes/activities.ts'

export const activity_create: MutationField = {
  kind: 'mutation',
  name: 'activity_create',
  sdl: 'activity_create(payload: ActivityStreamsPayload!): ActivityStreamsActivity @public',
  build: (call, build) => createActivity(call, build),
}
