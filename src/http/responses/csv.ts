/** Answers a table as a CSV file (RFC 4180). An apostrophe precedes each text that a spreadsheet would read as a formula. */
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

/**
 * Whether a spreadsheet could read a text as a formula: it begins with one of `= + - @`. Spreadsheets trim spaces and invisible
 * characters before it, take a leading tab or line break for the next cell, and read other widths of the same signs alike.
 */
function isFormula(text: string): boolean {
	if (/^-?\d+(\.\d+)?$/.test(text)) return false;
	return /^[\t\r\n]|^[\s\p{C}]*[=+\-\u2212@]/u.test(text.normalize("NFKC"));
}

const cellOf = (value: CsvCell): string => {
	if (typeof value !== "string") return value === null ? "" : `${value}`;
	const text = isFormula(value) ? `'${value}` : value;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** JSON, unless CSV is asked for and JSON is not. */
export function formatAccepted(request: Request): "json" | "csv" {
	const accepted = request.headers.get("accept")?.toLowerCase() ?? "";
	return accepted.includes("text/csv") && !accepted.includes("json") ? "csv" : "json";
}
