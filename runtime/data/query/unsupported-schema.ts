/**
 * The parts of the platform's schema that Ingot lacks, by feature. A document that uses them can be built, but fails when it is run. A name
 * that neither schema has is an error.
 */
import type { Mistake } from './problem.ts'

/** Lists of names by owner. The owner is a type for its fields, `Type.field` for its arguments, and `types` for types. */
type NamesByOwner = Readonly<Record<string, string>>

const FEATURES: Readonly<Record<string, NamesByOwner>> = {
  'old models of other sites': {
    types: 'RemoteModelInterface',
    Customization: 'remote_model',
    ListingUserProfile: 'remote_model',
    ListingsCustomization: 'remote_model',
    UserListing: 'remote_model',
  },
  imports: {
    types:
      'AttachmentModelPropertyInput AttachmentUserPropertyInput ' +
      'ImportTransactablesMutationPayload ModelPropertyInput ModelUpdate ProcessPageInputType ' +
      'ProcessStrategy ProcessStrategyInputType TransactableImport ' +
      'UpdateCustomizationsMutationPayload UpdateUsersMutationPayload UserProfileUpdateType ' +
      'UserPropertyInput UserUpdate',
    RootMutation: 'import_transactables update_models update_users',
  },
  'changes of the site while it runs': {
    types:
      'FormConfigurationInputType ' +
      'SpamProtectionInputType SpamProtectionRecaptchaV3InputType TransactableSchemaInputType ' +
      'UpdateCustomAttachmentInputType ' +
      'UpdateFormConfigurationInputType ' +
      'UpdateTransactableSchemaInputType UpdateTranslationInputType ' +
      'UploadType VersionInput ' +
      'VersionManipulateInput VersionOutputInput VersionResizeInput',
    RootMutation:
      'admin_form_configuration_create ' +
      'admin_form_configuration_delete admin_form_configuration_update ' +
      'admin_transactable_schema_create ' +
      'admin_transactable_schema_delete admin_transactable_schema_update admin_translation_create ' +
      'admin_translation_delete admin_translation_update',
  },
  'lists of what was deployed': {
    types:
      'AdminNonDeployableSharedAttributesInterface AdminPropertiesInterface ' +
      'AdminSharedAttributesInterface FlashMessages ' +
      'FormConfiguration FormConfigurationCollection FormConfigurationsFilterInput ' +
      'FormConfigurationsSortInput',
    ApiCallNotification: 'form_configurations',
    EmailNotification: 'form_configurations',
    SmsNotification: 'form_configurations',
    RootQuery: 'admin_form_configurations',
  },
  'services of third parties': {
    RootQuery: 'login_providers',
  },
  'the old content of pages': {
    types: 'CMSItemDefinition CMSItemDefinitionCollection CMSItemPayload CMSItemPayloadCollection ' + 'CMSItemType',
    RootQuery: 'cms_discovery cms_items',
  },
  'images and attachments of records': {
    types:
      'AtachmentInputType AttachmentContentDispositionEnum AttachmentContentLengthRange ' +
      'AttachmentPresignUrlInput AttachmentPresignedUploadUrl CustomAttachment ' +
      'CustomAttachmentInputType CustomImageCollection CustomImageInputType Image ' +
      'ImageFormat ImageInputType ImagePresignUrlInput ImagePresignedUploadUrl ' +
      'ImageResizeFit ImageResizePosition ImagesFilterInput ImagesSortInput ListingsPrivateFile ' +
      'PresignUrlInput PresignedUploadUrl PrivateFile',
    Customization:
      'attachment attachments custom_attachment custom_attachments custom_image custom_images image ' + 'images',
    CustomizationInputType: 'custom_attachments custom_images',
    DefaultProfileInputType: 'custom_attachments custom_images',
    ListingUserProfile: 'custom_attachment custom_attachments custom_image custom_images',
    ListingsCustomization: 'custom_attachment custom_attachments custom_images',
    Model: 'attachment attachments image images',
    Profile: 'attachment attachments custom_attachment custom_attachments custom_image custom_images image ' + 'images',
    PropertiesInterface: 'attachment attachments image images',
    Record: 'attachment attachments image images',
    RecordInputType: 'attachments images',
    RootMutation:
      'attachment_presign_url custom_attachment_create custom_attachment_delete ' +
      'custom_attachment_update custom_image_delete custom_image_update image_presign_url ' +
      'presigned_upload_url',
    RootQuery: 'images',
    User: 'attachment attachments custom_attachment custom_attachments custom_image custom_images image ' + 'images',
    UserInputType: 'custom_attachments custom_images',
    UserListing: 'custom_attachment custom_attachments custom_image custom_images',
  },
  addresses: {
    types:
      'CustomAddrress DistanceUnit GeoBox GeoBoxTopLeftBottomRight GeoBoxTopRightBottomLeft GeoPoint ' +
      'GeoPointInShape GeoPointType GeoPolygon GeoQuery GeoRadius LatDegree ListingAddress LngDegree ' +
      'SortByDistance',
    Customization: 'address addresses custom_address custom_addresses',
    ListingUserProfile: 'custom_address custom_addresses',
    ListingsCustomization: 'custom_address custom_addresses',
    Model: 'address addresses',
    Profile: 'address addresses custom_address custom_addresses',
    PropertiesInterface: 'address addresses',
    Record: 'address addresses',
    'RootQuery.people': 'geo_query',
    SortOrder: 'distance profile_distance',
    User: 'address addresses custom_address custom_addresses',
    UserListing: 'custom_address custom_addresses',
  },
  'the request in queries': {
    types: 'HTTPRequestContext HeadersObject ParamsObject',
    RootQuery: 'request',
  },
  transactables: {
    types: 'QueryTransactableType Transactable TransactableCollection TransactableInputType TransactableType',
    Result: 'transactable',
    RootMutation: 'transactable_create transactable_delete transactable_update transactables_delete_all',
    RootQuery: 'transactable transactable_type transactable_types transactables',
    User: 'transactables',
  },
  'messages between users': {
    types: 'Communication ListingsCommunication',
    User: 'communication social_friends',
    UserListing: 'communication',
  },
  'the old search': {
    types:
      'CustomizationsSortOrder Listing ListingCollection ' +
      'ListingCustomAttributeInterface ListingsCustomModelType ListingsMetadata ListingsModelSchema ' +
      'NestedCustomizationFilters QueryCustomization QueryListing QueryListingLocation QueryUserProfile ' +
      'SortByChildField',
    Customization: 'sort_score',
    ListingAggregation: 'filter',
    Query: 'fields keyword match_type operator properties raw',
    QueryUser: 'externals_id profiles',
    RootQuery: 'listings',
    SortOrder: 'child_field',
    UserListing: 'sort_score',
  },
  'old names of relations and of their changes': {
    types:
      'BasicPropertyInterface ContentLengthRange CustomAttributeDefinition Customizable ' +
      'CustomizationsInputType DataExportModelsInput HasModelsInterface HasModelsInterfaceForRecords ' +
      'HasRecordsInterface HasUsersInterface LegacyCustomAttributeInterface RelationOnDemandInterface',
    Customization: 'customizable human_name model models user',
    CustomizationInputType: 'customizations models',
    ListingUserProfile: 'customizations model models user',
    ListingsCustomization: 'custom_model_type customizable customizations human_name model model_schema models',
    Model: 'model models users',
    Profile: 'model models user users',
    QueryUser: 'customizations',
    Record: 'model models users',
    Result: 'model',
    'RootMutation.data_export': 'models',
    RootQuery: 'custom_attribute_definition customization model',
    User: 'model models user users',
    UserListing: 'customizations model models user',
  },
}

/**
 * What to use instead of the other fields and arguments of a feature. The platform deprecates these fields, or reaches them only through
 * deprecated ones. Each text completes a sentence that begins with `Use`.
 */
const FEATURE_SUCCESSORS: Readonly<Record<string, string>> = {
  'old models of other sites': '`remote_records` and `remote_users`',
  'lists of what was deployed': '`admin_forms`',
  'images and attachments of records': 'properties of the type `upload`',
  addresses: 'a table of addresses',
  transactables: 'records',
  'messages between users': 'a table of messages',
  'the old search': '`records` and `users`',
  'old names of relations and of their changes': '`related_records` and `related_users`',
}

/** The successors of root fields that the platform deprecates. Each text completes a sentence that begins with `Use`. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  admin_form_configurations: '`admin_forms`',
  cms_discovery: 'the fields `admin_pages`, `admin_liquid_partials` and their like',
  cms_items: 'the fields `admin_pages`, `admin_liquid_partials` and their like',
  custom_attribute_definition: '`admin_tables`, whose tables have `properties`',
  customization: '`records` with a filter by `id`',
  images: '`property_upload` of records',
  listings: '`records`',
  login_providers: 'the constants of the site, which hold the keys of providers',
  model: '`records` with a filter by `id`',
  request: '`context` in a template',
  transactable: '`records` with a filter by `id`',
  transactable_type: '`admin_tables`',
  transactable_types: '`admin_tables`',
  transactables: '`records`',
  admin_form_configuration_create: 'a page that runs a mutation, and deploy its file',
  admin_form_configuration_delete: 'a page that runs a mutation, and deploy its file',
  admin_form_configuration_update: 'a page that runs a mutation, and deploy its file',
  admin_transactable_schema_create: 'a table file, and deploy it',
  admin_transactable_schema_delete: 'a table file, and deploy it',
  admin_transactable_schema_update: 'a table file, and deploy it',
  admin_translation_create: '`admin_translation_set`',
  admin_translation_delete: '`admin_translation_unset`',
  admin_translation_update: '`admin_translation_set`',
  attachment_presign_url: '`property_upload_presigned_url`',
  custom_attachment_create: 'a property of the type `upload`',
  custom_attachment_delete: '`upload_delete`',
  custom_attachment_update: 'a property of the type `upload`',
  custom_image_delete: '`upload_delete`',
  custom_image_update: 'a property of the type `upload`',
  image_presign_url: '`property_upload_presigned_url`',
  import_transactables: '`records_create_rc`',
  presigned_upload_url: '`property_upload_presigned_url`',
  transactable_create: '`record_create`',
  transactable_delete: '`record_delete`',
  transactable_update: '`record_update`',
  transactables_delete_all: '`records_delete_all`',
  update_models: '`records_update_all`',
  update_users: '`user_update` or `users_update_all`',
}

let featuresByName: ReadonlyMap<string, string> | null = null

/** Returns the features by owner and name, joined with a space. */
function features(): ReadonlyMap<string, string> {
  featuresByName ??= new Map(
    Object.entries(FEATURES).flatMap(([feature, owners]) =>
      Object.entries(owners).flatMap(([owner, names]) =>
        names.split(' ').map((name) => [`${owner} ${name}`, feature] as const),
      ),
    ),
  )
  return featuresByName
}

export interface UnsupportedName {
  /** That of a root field, or of another field or argument after its owner: `User.images`, `people(geo_query:)`. */
  readonly name: string
  /** The feature that the name belongs to. */
  readonly feature: string
  /** The successor; null when the platform does not deprecate the name. */
  readonly successor: string | null
}

/** Returns the root fields of the platform that Ingot does not have. */
export function unsupportedNames(root: 'RootQuery' | 'RootMutation'): readonly UnsupportedName[] {
  return Object.entries(FEATURES).flatMap(([feature, { [root]: names = '' }]) =>
    names
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => ({ name, feature, successor: successorOf(name) })),
  )
}

/** Returns the fields of the platform's other types that Ingot does not have. */
export function unsupportedFields(): readonly UnsupportedName[] {
  return Object.entries(FEATURES).flatMap(([feature, owners]) =>
    Object.entries(owners).flatMap(([owner, names]) =>
      owner === 'types' || owner === 'RootQuery' || owner === 'RootMutation'
        ? []
        : names.split(' ').map((name) => ({
            name: owner.includes('.') ? `${owner.slice(owner.indexOf('.') + 1)}(${name}:)` : `${owner}.${name}`,
            feature,
            successor: FEATURE_SUCCESSORS[feature] ?? null,
          })),
    ),
  )
}

function successorOf(name: string): string | null {
  return Object.hasOwn(SUCCESSORS, name) ? (SUCCESSORS[name] ?? null) : null
}

const UNKNOWN: ReadonlyMap<Mistake['kind'], string> = new Map([
  ['unknown field', 'field'],
  ['unknown argument', 'argument'],
  ['unknown input field', 'field'],
  ['unknown type', 'type'],
])

/** Returns a sentence for a mistake about a name that only the platform has; null for others. */
export function unsupportedMessage({ kind, name, type = 'types', field }: Mistake): string | null {
  const what = UNKNOWN.get(kind)
  if (what === undefined) return null
  const owner = kind === 'unknown argument' ? `${type}.${field}` : type
  const feature = features().get(`${owner} ${name}`)
  if (feature === undefined) return null
  const isRoot = owner === 'RootQuery' || owner === 'RootMutation'
  const successor = isRoot ? successorOf(name) : (FEATURE_SUCCESSORS[feature] ?? null)
  return `The ${what} \`${name}\` is not supported (missing feature: ${feature}).${successor === null ? '' : ` Use ${successor}.`}`
}
