import { beforeAll, expect, test } from "bun:test";
import { loadHarfBuzz } from "../../../../../src/areas/invoices/pdf/harfbuzz";
import { renderPdf } from "../../../../../src/areas/invoices/pdf/render";
import { documentFrom, rich } from "../../documents";
import { pageTexts } from "../../pdf-text";
import { line } from "../../samples";

beforeAll(loadHarfBuzz);

const of = (customerRefId: string, subscriptionRefId: string, description: string) =>
	line({ customerRefId, subscriptionRefId, description });

test("lines of other customers stand below the name of each, and below a subscription if the customer has several", () => {
	const document = documentFrom({
		...rich,
		lines: [
			line({ description: "Own" }),
			of("north", "sub-1", "First"),
			of("north", "sub-1", "Second"),
			of("south", "sub-2", "Third"),
			of("south", "sub-3", "Fourth"),
		],
	});
	expect(document.lines.map(({ group }) => group)).toEqual([
		...[undefined, "north", "north", "south · sub-2", "south · sub-3"],
	]);
	const texts = pageTexts(renderPdf(document)).flat();
	const places = ["Own", "north", "First", "Second", "south · sub-2", "Third", "south · sub-3", "Fourth"].map((text) =>
		texts.findIndex((one) => one.includes(text)),
	);
	expect(places).toEqual(places.toSorted((one, other) => one - other));
	expect(places).not.toContain(-1);
	expect(texts.filter((text) => text === "north")).toHaveLength(1);
});

test("lines of the customer alone have no heading", () => {
	expect(documentFrom(rich).lines.every((one) => !("group" in one))).toBe(true);
});
