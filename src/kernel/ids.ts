/** Makes row ids: UUIDv7, sortable by time; they are also the page cursors. */
export type NewId = () => string;

export const newUuidV7: NewId = () => Bun.randomUUIDv7();
