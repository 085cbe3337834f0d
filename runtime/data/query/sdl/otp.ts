/** Payloads of the mutations for one-time passwords. */
export const otp = `
"The secret that was removed."
type UserOtpDeleteTokenInformation {
  otp_name: String @public
  status: String! @public
  user_id: ID! @public
}

"The secret that was created."
type UserOtpSecretRefreshInformation {
  otp_name: String @public
  status: String! @public
  user_id: ID! @public
}
`
