/** In a browser no file is uploaded: what the options of one say is looked at by the server that keeps it. */
export const uploadKeys = {}

export function checkUploadOptions(): void {}
