/** Answers a table as CSV (RFC 4180). A text that a spreadsheet would read as a formula gets a leading apostrophe. */
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

/** Returns the headers of a page of a table: `Link` leads to the next page, if there is one. */
export function nextLink(request: Request, next: string | null): HeadersInit {
	if (next === null) return {};
	const asked = new URL(request.url);
	const query = new URLSearchParams(asked.search);
	query.delete("before");
	query.set("after", next);
	return { link: `<${asked.pathname}?${query}>; rel="next"` };
}

export type CsvCell = string | number | boolean | null;

/**
 * Whether a spreadsheet could read the text as a formula: it begins with one of `= + - @`. Spreadsheets trim leading
 * spaces and invisible characters, treat a leading tab or line break as the next cell, and accept full-width signs.
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

/** Returns CSV only if the client accepts CSV and not JSON. */
export function formatAccepted(request: Request): "json" | "csv" {
	const accepted = request.headers.get("accept")?.toLowerCase() ?? "";
	return accepted.includes("text/csv") && !accepted.includes("json") ? "csv" : "json";
}
