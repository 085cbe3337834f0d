/** `user_otp_delete_token`: removes the secret of one-time passwords. */
import type { MutationField } from '../model.ts'
import { otp } from '../sdl/otp.ts'
import { deleteSecret, missingSecret } from '../writes/otp.ts'

export const user_otp_delete_token: MutationField = {
  kind: 'mutation',
  name: 'user_otp_delete_token',
  sdl: 'user_otp_delete_token(otp_name: String = null, user_id: ID!): UserOtpDeleteTokenInformation @public',
  types: otp,
  build: deleteSecret,
  missing: missingSecret,
}
