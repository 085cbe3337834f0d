/** Accounts and sessions for hosts whose tests need neither. Every call fails. */
import type { AccountHost, SessionHost } from '../../../../runtime/data/query/index.ts'

function refuse(): never {
  throw new Error('no account is asked')
}

export const NO_ACCOUNTS: AccountHost = {
  presentSession: null,
  hashPassword: refuse,
  newOtpSecret: refuse,
  verifyPassword: refuse,
  temporaryToken: refuse,
  isTemporaryToken: refuse,
  jwt: refuse,
  isJwt: refuse,
  otp: refuse,
  isOtpCode: refuse,
}

export const NO_SESSION: SessionHost = {
  setField: refuse,
  signIn: refuse,
  signOut: refuse,
  signInByToken: refuse,
}
