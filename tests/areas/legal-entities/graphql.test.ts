import { describe, expect, test } from "bun:test";
import { ask, codes, data, nodes } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import { world } from "../../support/world";

const fields = `id name isDefault address { city country line1 line2 postalCode state } taxIds { type value } registration email
	bankAccount { iban bic bankName } paymentText footer brandColor language netTerms invoiceGracePeriodDays taxCurrency
	cashDiscount { percentage days } warnings { code message }
	exchangeRates { currency rate source date } numberFormat { invoicePrefix creditNotePrefix year padding }
	logo { contentType width height } archivedAt createdAt updatedAt`;
const selection = `{ ${fields} paymentAccounts { id name isDefault } }`;
const one = `query ($id: ID!) { legalEntity(id: $id) ${selection} }`;
const list = "{ legalEntities { edges { node { id name } } } }";
const french = {
	name: "Acme France SAS",
	address: { line1: "5 rue de la Paix", postalCode: "75002", city: "Paris", country: "FR" },
	taxIds: [{ type: "eu_vat", value: "FR40303265045" }],
	bankAccount: { iban: "FR14 2004 1010 0505 0001 3M02 606" },
	taxCurrency: "EUR",
	brandColor: "#2f5d62",
	exchangeRates: [{ currency: "USD", rate: 0.9, source: "ECB", date: "2026-01-01" }],
	numberFormat: { invoicePrefix: "FR-", creditNotePrefix: "FR-AV-", year: true },
};

describe("legal entities", () => {
	test("are made, read, listed, changed and archived, as REST shows them", async () => {
		const here = world();
		expect((await data(here, list)).legalEntities.edges).toEqual([]);
		const step = async (name: string, input: object) => {
			const { data: done } = await mutate(here, name, input, { selection });
			const { paymentAccounts, ...shown } = done[name];
			const rest = (await here.call("GET", `/legal-entities/${shown.id}`)).body.data;
			const exchangeRates = shown.exchangeRates.map((rate: { currency: string }) => ({
				...rate,
				currency: rate.currency.toLowerCase(),
			}));
			const { address } = shown;
			const given = address && Object.fromEntries(Object.entries(address).filter(([, value]) => value !== null));
			const taxCurrency = shown.taxCurrency?.toLowerCase() ?? null;
			expect({ ...shown, address: given, exchangeRates, taxCurrency }).toEqual(rest);
			expect(paymentAccounts).toMatchObject([{ isDefault: true }]);
			return done[name];
		};
		const made = await step("createLegalEntity", french);
		expect(made).toMatchObject({ taxCurrency: "EUR", exchangeRates: [{ currency: "USD" }], isDefault: false });
		const { id } = made;
		expect((await data(here, one, { id })).legalEntity).toEqual(made);
		expect(nodes<{ name: string }>((await data(here, list)).legalEntities).map(({ name }) => name)).toEqual([
			"Acme France SAS",
			"Ours",
		]);
		const changed = await step("updateLegalEntity", {
			id,
			taxCurrency: null,
			netTerms: 14,
			cashDiscount: { percentage: 2, days: 10 },
			taxIds: [],
			numberFormat: { padding: 4 },
		});
		expect(changed.warnings).toMatchObject([{ code: "ISSUER_TAX_ID_MISSING" }]);
		expect(changed).toMatchObject({ taxCurrency: null, netTerms: 14, numberFormat: { padding: 4, year: true } });
		expect((await step("archiveLegalEntity", { id })).archivedAt).not.toBeNull();
		expect(codes(await mutate(here, "updateLegalEntity", { id, netTerms: 1 }))).toEqual(["EntityIsArchivedError"]);
	});

	test("are refused as by REST", async () => {
		const here = world();
		const made = async (input: object, options = {}) =>
			codes(await mutate(here, "createLegalEntity", { ...french, ...input }, options));
		expect(await made({ name: "" })).toEqual(["BadUserInput"]);
		expect(await made({ taxCurrency: "XXY" })).toEqual(["BadUserInput"]);
		expect(await made({ isDefault: false })).toEqual(["BadUserInput"]);
		expect(await made({ logo: { contentBase64: "bm90aGluZw==" } })).toHaveLength(1);
		expect(await made({}, { key: here.scopedKey("INVOICE:WRITE") })).toEqual(["AccessDeniedError"]);
		expect(await made({})).toEqual([]);
		expect(await made({})).toEqual(["DuplicatedEntityNotAllowed"]);
		const listed = nodes<{ id: string; name: string }>((await data(here, list)).legalEntities);
		const ours = listed.find(({ name }) => name === "Ours");
		expect(codes(await mutate(here, "archiveLegalEntity", { id: ours?.id }))).toEqual(["InvalidArgumentError"]);
		for (const name of ["updateLegalEntity", "archiveLegalEntity"]) {
			expect(codes(await mutate(here, name, { id: "nothing" }))).toEqual(["BadUserInput"]);
			expect(codes(await mutate(here, name, { id: ours?.id }, { key: here.foreignKey }))).toEqual(["BadUserInput"]);
			const key = here.scopedKey("INVOICE:READ");
			expect(codes(await mutate(here, name, { id: ours?.id }, { key }))).toEqual(["AccessDeniedError"]);
		}
		expect(codes(await ask(here, one, { id: "nothing" }))).toEqual(["BadUserInput"]);
		const key = here.scopedKey("CUSTOMER:READ");
		expect(codes(await ask(here, one, { id: ours?.id }, { key }))).toEqual(["AccessDeniedError"]);
		expect((await data(here, list, undefined, { key: here.foreignKey })).legalEntities.edges).toEqual([]);
	});
});
