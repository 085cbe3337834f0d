/**
 * `user_otp_secret_refresh`: replaces the secret of one-time passwords, so that codes of the old one become invalid.
 */
import type { MutationField } from '../model.ts'
import { otp } from '../sdl/otp.ts'
import { missingUser, refreshSecret } from '../writes/otp.ts'

export const user_otp_secret_refresh: MutationField = {
  kind: 'mutation',
  name: 'user_otp_secret_refresh',
  sdl: 'user_otp_secret_refresh(otp_name: String = null, user_id: ID!): UserOtpSecretRefreshInformation @public',
  types: otp,
  build: refreshSecret,
  missing: missingUser,
}
