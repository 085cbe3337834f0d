/** Types of lists that are always empty, because Ingot does not have these features. */
import { collection } from './collection.ts'

export const absent = `
"A handler of activities. Ingot has none: a template publishes an activity, or queues a job."
type ActivityStreamsHandler {
  filter: ActivityStreamsPayload @public
  id: ID! @public
  name: String @public
  targets: ActivityStreamsPayload @public
}

${collection('ActivityStreamsHandler', 'handlers')}

"An earlier state of a row. Ingot does not store earlier states."
type Version {
  created_at: JSONDate! @public
  event: VersionAction! @public
  id: ID! @public
  item_id: ID! @public
  item_type: VersionItemType! @public
  resource: HashObject @public
  whodunnit: String @public
}

${collection('Version', 'versions')}

enum VersionAction {
  create
  destroy
  update
}

enum VersionItemType {
  Customization
  User
  UserProfile
}

input VersionFilterInput {
  created_at: DateFilter
  event: StringFilter
  id: UniqIdFilter
  item_id: UniqIdFilter
  item_type: StringFilter
  or: [VersionFilterInput!]
  updated_at: DateFilter
  whodunnit: StringFilter
}

input VersionSortInput {
  created_at: StandardSort
  event: StandardSort
  id: StandardSort
  item_id: StandardSort
  item_type: StandardSort
  updated_at: StandardSort
  whodunnit: StandardSort
}

"A service that the installation is registered with. Ingot has none: the keys of services are stored in constants."
type ThirdPartyIntegration {
  created_at: JSONDate! @public
  id: ID! @public
  settings: HashObject! @public
  type: String! @public
  updated_at: JSONDate! @public
}

${collection('ThirdPartyIntegration', 'services')}

input ThirdPartyIntegrationsFilterInput {
  created_at: DateFilter
  id: UniqIdFilter
  or: [ThirdPartyIntegrationsFilterInput!]
  type: StringFilter
  updated_at: DateFilter
}

input ThirdPartyIntegrationsSortInput {
  created_at: StandardSort
  id: StandardSort
  type: StandardSort
  updated_at: StandardSort
}

"A type of transactables. Ingot has none: records have replaced them."
type TransactableSchema {
  created_at: JSONDate! @public
  fields: [Property!]! @deprecated @public
  id: ID! @public
  manually_managed: Boolean @public
  metadata: HashObject @public
  name: String! @public
  parameterized_name: String! @public
  physical_file_path: String @public
  properties: [Property!]! @public
  updated_at: JSONDate! @public
}

${collection('TransactableSchema', 'types of transactables')}

input TransactableSchemasFilterInput {
  created_at: DateFilter
  id: UniqIdFilter
  name: StringFilter
  or: [TransactableSchemasFilterInput!]
  parameterized_name: StringFilter
  updated_at: DateFilter
}

input TransactableSchemasSortInput {
  created_at: StandardSort
  id: StandardSort
  name: StandardSort
  parameterized_name: StandardSort
  updated_at: StandardSort
}
`
