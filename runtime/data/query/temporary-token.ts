/** Hours for which a `temporary_token` is valid, unless the query names another number. */
export const TEMPORARY_TOKEN_HOURS = 48
