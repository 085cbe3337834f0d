/** The columns of texts that every user has: whoever reads, writes, imports or exports users has them from here. */

/** How each is written: a kind that `columnText` knows. In the order in which exports show them. */
export const USER_COLUMN_KINDS = {
  external_id: 'text',
  email: 'email',
  slug: 'required text',
  name: 'text',
  first_name: 'text',
  middle_name: 'text',
  last_name: 'text',
  language: 'text',
} as const

export type UserText = keyof typeof USER_COLUMN_KINDS

export const USER_TEXTS = Object.keys(USER_COLUMN_KINDS) as readonly UserText[]

/** What a name is made of where none is given. */
export const NAME_PARTS = ['first_name', 'middle_name', 'last_name'] as const satisfies readonly UserText[]
