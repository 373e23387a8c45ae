/** A table as a file (RFC 4180) to be saved. Texts that a spreadsheet would take for a formula are led by an apostrophe. */
export const csvResponse = (
	fileName: string,
	rows: ReadonlyArray<readonly CsvCell[]>,
	headers?: HeadersInit,
): Response =>
	new Response(rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join(""), {
		headers: {
			...headers,
			"content-type": "text/csv; charset=utf-8",
			"content-disposition": `attachment; filename="${fileName}"`,
		},
	});

export type CsvCell = string | number | boolean | null;

const cellOf = (value: CsvCell): string => {
	if (typeof value !== "string") return value === null ? "" : `${value}`;
	const isNumber = /^-?\d+(\.\d+)?$/.test(value);
	const text = !isNumber && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** JSON, unless CSV is asked for and JSON is not. */
export function formatAccepted(request: Request): "json" | "csv" {
	const accepted = request.headers.get("accept")?.toLowerCase() ?? "";
	return accepted.includes("text/csv") && !accepted.includes("json") ? "csv" : "json";
}
