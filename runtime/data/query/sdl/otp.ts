/** What mutations of one-time passwords give. */
export const otp = `
"The secret that was removed."
type UserOtpDeleteTokenInformation {
  otp_name: String
  status: String!
  user_id: ID!
}

"The secret that was made."
type UserOtpSecretRefreshInformation {
  otp_name: String
  status: String!
  user_id: ID!
}
`
