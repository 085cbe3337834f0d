/** Days after which a token of a user expires: the default, and the maximum. */
export const USER_TOKEN_DAYS = { default: 90, most: 365 } as const
