/** Types for the encryption of files that the server writes. */
export const encryption = `
"A public key of OpenPGP, armored."
scalar GPGKey

input PropertyUploadEncryptionInput {
  gpg: PropertyUploadEncryptionGPGInput
}

input PropertyUploadEncryptionGPGInput {
  armor: Boolean
  key: GPGKey!
}
`
