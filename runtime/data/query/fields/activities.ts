/** `activities`: activities by id or uuid. */
import type { QueryField } from '../model.ts'
import { activitiesJson } from '../writes/activities.ts'
import { activity } from '../sdl/activity.ts'

export const activities: QueryField = {
  kind: 'query',
  name: 'activities',
  sdl: 'activities(ids: [ID], page: Int = 1, per_page: Int = 20, sort: [ActivitiesSortInput!], uuids: [String]): ActivityStreamsActivityCollection @public',
  types: activity,
  build: activitiesJson,
}
