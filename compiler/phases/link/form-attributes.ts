/** The built-in attributes of each resource, which a form can accept in addition to properties. */
import type { PropertyType } from '../../core/model/operation.ts'
import type { NestedKind } from '../../core/model/settings.ts'

/** Types by attribute name. */
export type AttributeTypes = Readonly<Record<string, PropertyType>>

export const RECORD: AttributeTypes = {
  id: 'string',
  user_id: 'string',
  external_id: 'string',
  customizable_id: 'string',
  customizable_type: 'string',
  created_at: 'datetime',
  deleted_at: 'datetime',
}

export const USER: AttributeTypes = {
  id: 'string',
  email: 'string',
  password: 'string',
  first_name: 'string',
  middle_name: 'string',
  last_name: 'string',
  name: 'string',
  external_id: 'string',
  slug: 'string',
  language: 'string',
  featured: 'boolean',
  public_profile: 'boolean',
}

export const PROFILE: AttributeTypes = { id: 'string', enabled: 'boolean' }

export const SESSION: AttributeTypes = { email: 'string', password: 'string', remember_me: 'boolean' }

const FILE: AttributeTypes = {
  id: 'string',
  owner_id: 'string',
  owner_type: 'string',
  uploader_id: 'string',
  custom_attribute_id: 'string',
}

const IMAGE: AttributeTypes = {
  ...FILE,
  image: 'upload',
  remote_image_url: 'string',
  raw_remote_image_url: 'string',
  label: 'string',
  caption: 'string',
}

const ATTACHMENT: AttributeTypes = {
  ...FILE,
  file: 'upload',
  remote_file_url: 'string',
  raw_remote_file_url: 'string',
  label: 'string',
}

const ADDRESS: AttributeTypes = {
  id: 'string',
  label: 'string',
  address: 'string',
  formatted_address: 'string',
  street: 'string',
  street_number: 'string',
  apartment: 'string',
  suburb: 'string',
  city: 'string',
  county: 'string',
  state: 'string',
  state_code: 'string',
  postcode: 'string',
  country: 'string',
  country_code: 'string',
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
