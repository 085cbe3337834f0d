/** The built-in attributes of each resource, which a form can accept in addition to properties. */
import type { PropertyType } from '../../core/model/operation.ts'
import type { NestedKind } from '../../core/model/settings.ts'

/** Types by attribute name. */
export type AttributeTypes = Readonly<Record<string, PropertyType>>

/** Returns attributes that are texts. */
function texts(names: string): AttributeTypes {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'string']))
}

export const RECORD: AttributeTypes = {
  ...texts('id user_id external_id customizable_id customizable_type'),
  created_at: 'datetime',
  deleted_at: 'datetime',
}

export const USER: AttributeTypes = {
  ...texts('id email password first_name middle_name last_name name external_id slug language'),
  featured: 'boolean',
  public_profile: 'boolean',
}

export const PROFILE: AttributeTypes = { id: 'string', enabled: 'boolean' }

export const SESSION: AttributeTypes = { email: 'string', password: 'string', remember_me: 'boolean' }

const FILE = texts('id owner_id owner_type uploader_id custom_attribute_id')

const IMAGE: AttributeTypes = {
  ...FILE,
  image: 'upload',
  ...texts('remote_image_url raw_remote_image_url label caption'),
}

const ATTACHMENT: AttributeTypes = {
  ...FILE,
  file: 'upload',
  ...texts('remote_file_url raw_remote_file_url label'),
}

const ADDRESS: AttributeTypes = {
  ...texts('id label address formatted_address street street_number apartment suburb city county state state_code'),
  ...texts('postcode country country_code'),
  latitude: 'float',
  longitude: 'float',
}

/** Attributes of nested resources, by kind. */
export const NESTED: Readonly<Record<NestedKind, AttributeTypes>> = {
  profiles: PROFILE,
  customizations: RECORD,
  custom_images: IMAGE,
  custom_attachments: ATTACHMENT,
  custom_addresses: ADDRESS,
}
