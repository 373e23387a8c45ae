import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { customType } from "drizzle-orm/sqlite-core";

// A packed id is the 16 bytes of a UUID, whose text has 36. Any other text stays as it is. Bytes have the order of the texts.

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const bytesInId = 16;

/** Returns the bytes of a UUID in small letters, and any other text as it is. */
export const packId = (id: string): string | Uint8Array =>
	uuid.test(id) ? Buffer.from(id.replaceAll("-", ""), "hex") : id;

/** Reads an id that `packId` has made, or an id that an earlier release wrote as a text. */
export function unpackId(value: string | Uint8Array): string {
	if (typeof value === "string") return value;
	if (value.length !== bytesInId) throw new Error(`A packed id has ${bytesInId} bytes; this one has ${value.length}.`);
	const hex = Buffer.from(value).toString("hex");
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A column of ids that the file holds in 16 bytes where they are UUIDs. SQL compares it with packed ids: Drizzle packs values, but not placeholders. */
export const packedId = (name: string) =>
	customType<{ data: string; driverData: string | Uint8Array }>({
		dataType: () => "text",
		toDriver: packId,
		fromDriver: unpackId,
	})(name);

/** The packed form of a column that holds UUIDs as texts, in SQL. */
export const packedIn = (column: SQLWrapper): SQL => sql`unhex(replace(${column}, '-', ''))`;

/** The text of a column of packed ids, in SQL. */
export const unpackedIn = (column: SQLWrapper): SQL<string> => {
	const part = (from: number, length: number): SQL => sql`substr(hex(${column}), ${sql.raw(`${from}, ${length}`)})`;
	return sql`case typeof(${column}) when 'text' then ${column} else lower(${part(1, 8)} || '-' || ${part(9, 4)} || '-' || ${part(13, 4)} || '-' || ${part(17, 4)} || '-' || ${part(21, 12)}) end`;
};
