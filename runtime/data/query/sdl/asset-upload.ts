/** Types of assets that clients upload, and of lists of assets. */
export const assetUpload = `
"The path of an asset below the folder of assets. That of a module's asset begins with modules/ and the module's name."
input AssetPresignInput {
  path: String!
}

"The addresses of an asset that is uploaded."
type PresignedUrl {
  "The address of the asset, once admin_assets_create has made it part of the site."
  access_url: String!
  path: String!
  "Takes the bytes of the asset by PUT, for an hour."
  upload_url: String!
}

type AssetsPresignUrlsMutationPayload {
  urls: [PresignedUrl!]!
}

"An uploaded asset."
input AssetInput {
  "Refused, except null: the server sets how long browsers keep assets."
  cache_control: String
  "In bytes. Another size than that of the uploaded file is refused."
  file_size: Int
  "Accepted, without effect: a full deploy removes every file that it does not contain."
  manually_managed: Boolean
  metadata: HashObject
  "The path that admin_assets_presign_urls was given."
  name: String!
  physical_file_path: String!
  "Accepted, without effect: the server has the address of each asset."
  url: String
}

type AssetsCreateMutationPayload {
  assets: [Asset!] @public
}

type AssetsListingIdentifier {
  created_at: JSONDate!
  id: ID!
}

"Lists of the assets of a site as JSON files, which are kept for a day."
type AssetsListing {
  created_at: JSONDate!
  id: ID
  "The assets in the private folders of modules."
  private_assets_url: String
  public_assets_url: String
  status: String
}
`
