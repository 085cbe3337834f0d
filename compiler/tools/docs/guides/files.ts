/** The guide to uploaded files and versions of images. */
import { files as shown, guide, list, page, part, text } from './guide.ts'

export const files = guide('files', {
  name: 'Files and image versions',
  summary: 'Accept uploads, make smaller versions of images, and serve public and private files.',
  words: 'upload file files image images photo picture resize thumbnail attachment s3 bucket asset css javascript',
  blocks: [
    part('Accept an upload', 'upload photo image attachment'),
    text(
      'Declare a property of the type `upload`, name it in a form, and use an input of the type `file`. [Forms](guides/forms.html) has the form `dish` with a photo. Files are sent by forms with `multipart/form-data`, as base64 or as a URL in JSON, or to the address that `property_upload_presigned_url` returns; a form posts to it as it would to an S3 store.',
    ),
    part('Show a file, and smaller versions of an image', 'resize thumbnail crop webp version image'),
    text(
      'The table declares the `versions` of an image: [Tables](guides/tables.html#declare-a-table) has one named `card`. A version has a `resize` (width, height, fit), an `output` (format, quality) and a `manipulate` (greyscale, blur, flatten). A query reads the addresses of the file and of its versions:',
    ),
    page(
      {
        'app/graphql/dishes/photos.graphql': `query photos {
  dishes: records(
    per_page: 20
    filter: { table: { value: "dish" } }
    sort: [{ id: { order: ASC } }]
  ) {
    results {
      name: property(name: "name")
      photo: property_upload(name: "photo") {
        url
        versions
      }
    }
  }
}
`,
        'app/views/pages/photos.liquid': `{% graphql found = 'dishes/photos' %}
{% for dish in found.dishes.results %}
  {% if dish.photo %}
    <img src="{{ dish.photo.versions.card | default: dish.photo.url }}" width="480" height="320" alt="{{ dish.name }}">
  {% else %}
    <p>{{ dish.name }} has no photo.</p>
  {% endif %}
{% endfor %}
`,
      },
      '/photos',
      '<p>Tomato soup has no photo.</p>…',
    ),
    part('Limit and check files', 'size type mime validation'),
    list(
      'File types are detected from content. Mismatched extensions are rejected. Camera metadata is removed from images, and the `versions` that their property declares are created.',
      '`options: { content_length: { lte: 8192 } }` of the property limits its size in kilobytes. The validation [file_content_type](validations/file_content_type.html) of a form limits its type. `INGOT_UPLOAD_LIMIT` is the most bytes that any file may have, 25000000; a form may send four times as much.',
      'A property accepts the address of a file (the `Location` of an upload) only within a day, from the session or user that uploaded it for this property. A row keeps the value it has. Programs with an admin token, migrations and `ingot data import` may store any address.',
      'Files are fetched from URLs on the Internet only, never from the own network of the server.',
    ),
    part('Private files', 'private download signed url acl'),
    text(
      'With `options: { acl: private }` a file has signed addresses that expire, after the given number of seconds:',
    ),
    shown({
      'app/schema/invoice.yml': `name: invoice
properties:
  - name: document
    type: upload
    options:
      acl: private
`,
      'app/graphql/invoices/mine.graphql': `query mine($user: ID!) {
  invoices: records(
    per_page: 20
    filter: { table: { value: "invoice" }, user_id: { value: $user } }
  ) {
    results {
      id
      document: property_upload(name: "document", expires_in: 600) {
        url
        file_name
      }
    }
  }
}
`,
      'app/views/pages/invoices.liquid': `---
authorization_policies: [logged_in]
---
{% graphql found = 'invoices/mine', user: context.current_user.id %}
{% for invoice in found.invoices.results %}
  <a href="{{ invoice.document.url }}">{{ invoice.document.file_name }}</a>
{% endfor %}
`,
    }),
    part('Where files are', 's3 bucket storage disk'),
    list(
      'Files are served below `/uploads/`. Images are shown; all other files are downloads, in a sandbox, and never run as a page of the site.',
      'Without further settings files are stored in the data folder. `INGOT_S3_ENDPOINT`, `INGOT_S3_BUCKET`, `INGOT_S3_KEY` and `INGOT_S3_SECRET` name an S3-compatible store, `INGOT_S3_REGION` its region (`us-east-1`). `INGOT_S3_PUBLIC_URL` is the address of its public files for browsers; without it `/uploads/` redirects to signed addresses.',
      'A file that no row refers to is deleted after two nights.',
    ),
    part('Assets: stylesheets, scripts, pictures of the site', 'css javascript asset_url static'),
    text(
      "Files in `app/assets` are served below `/assets/`. `{{ 'site.css' | asset_url }}` prints an address with the digest of the file, so that browsers keep it until it changes. A missing asset is reported by `ingot check`.",
    ),
  ],
})
