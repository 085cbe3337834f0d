/** `activity_unpublish`: removes activities from their feeds. */
import type { MutationField } from '../model.ts'
import { unpublishActivity } from '../writes/activities.ts'

export const activity_unpublish: MutationField = {
  kind: 'mutation',
  name: 'activity_unpublish',
  sdl: 'activity_unpublish(record_id: ID, related_to_object: ActiveRecordReference, uuid: ID): [ID] @public',
  build: (call, build) => unpublishActivity(call, build),
}
