import { expect, test } from "bun:test";
import { sqliteTable } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import { packedEventMin, packedPrices, packText, unpackText } from "../../../src/kernel/storage/packed-text";

const event = JSON.stringify({
	id: "acme",
	entityId: "01997c11-0000-7000-8000-000000000000",
	name: "Acme",
	email: "billing@acme.example",
	billingId: null,
	metadata: {},
	paymentMethodId: null,
	note: "ünïcödé",
	more: "x".repeat(40),
});

test("a packed text reads as it was", () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 2_000, unit: "binary" }), (text) => unpackText(packText(text, 0)) === text),
	);
	expect(unpackText(packText(event, 0))).toBe(event);
});

test("packs a typical event to less than half, and keeps a text below the minimum length as it is", () => {
	expect(packText(event, packedEventMin).length).toBeLessThan(event.length / 2);
	expect(packText(event, event.length + 1)).toBe(event);
	expect(packText("{}", 0)).toBe("{}");
});

test("a text that an earlier version wrote, without packing it, reads as it stands", () => {
	expect(unpackText(event)).toBe(event);
});

test("the dictionary is the one that files of this version were packed with", () => {
	const packed =
		"ASi1L/0g6f0CAKQCMDE5OTdjMTEtNzgwQUAuZXhhbXBsZW5vw7xuw69jw7Zkw6kiLCJteCJ9EwBwRQAfxLpPtEaK2crQADQj4BEGeC+sBeOSOeOZiyHcAQ0MXBxghrLa7RwhYolfU2as";
	expect(unpackText(Buffer.from(packed, "base64"))).toBe(event);
});

test("another dictionary is refused by its number", () => {
	expect(() => unpackText(Uint8Array.of(9, 1, 2, 3))).toThrow("names the dictionary 9");
});

test("a column of prices is packed with the dictionary of prices, and a text of an earlier release reads as it stands", () => {
	const charged = sqliteTable("it", { charged: packedPrices<unknown>("charged") }).charged;
	const one = { billingModel: "FLAT_FEE", price: { amount: "29", currency: "usd" }, tiersMode: null, tiers: null };
	const value = { items: [{ charge: one, description: "Pro", featureRefId: null, addonRefId: null }], coupon: null };
	const stored = charged.mapToDriverValue(value);
	const text = JSON.stringify(value);
	expect(stored).toBeInstanceOf(Uint8Array);
	expect((stored as Uint8Array)[0]).toBe(2);
	expect((stored as Uint8Array).length).toBeLessThan(text.length / 2);
	expect(charged.mapFromDriverValue(stored as Uint8Array)).toEqual(value);
	expect(charged.mapFromDriverValue(text)).toEqual(value);
	const packed = "Aii1L/0gwf0AADB7UHJvIn0HAGhDIGUpwJCM0CZ5BqkpKMxeBFDE4go=";
	expect(charged.mapFromDriverValue(Buffer.from(packed, "base64"))).toEqual(value);
});
