/** The registry of resources, one line each. */
export { customizations } from './customizations.ts'
export { profiles } from './profiles.ts'
export { sessions } from './sessions.ts'
export { users } from './users.ts'
