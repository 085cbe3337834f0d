/** Types of metrics of the installation. */
export const metrics = `
"The numbers of rows that are not deleted."
type InstanceMetrics {
  activities_total: Int! @public
  addresses_total: Int! @public
  attachments_total: Int! @public
  images_total: Int! @public
  records_total: Int! @public
  transactables_total: Int! @public
  user_profiles_total: Int! @public
  users_total: Int! @public
}
`
