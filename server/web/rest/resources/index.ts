/** The registry of resources, one per line. */
export { authentications } from './authentications.ts'
export { customizations } from './customizations.ts'
export { profiles } from './profiles.ts'
export { sessions } from './sessions.ts'
export { users } from './users.ts'
