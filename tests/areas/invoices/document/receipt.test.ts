import { beforeAll, expect, test } from "bun:test";
import { receiptDocumentOf } from "../../../../src/areas/invoices/document/receipt";
import { loadHarfBuzz } from "../../../../src/areas/invoices/pdf/harfbuzz";
import { renderPdf } from "../../../../src/areas/invoices/pdf/render";
import { getReceiptOf } from "../../../../src/areas/invoices/receipts/operations";
import { printedReceiptOf } from "../../../../src/areas/invoices/receipts/operations.pdf";
import { pageTexts } from "../pdf-text";
import { receiptWorld } from "../receipts/receipt-world";

beforeAll(loadHarfBuzz);

type World = ReturnType<typeof receiptWorld>;

const documentIn = (world: World, id: string) =>
	world.transactions.read(world.actor, (work) => receiptDocumentOf(printedReceiptOf(work, getReceiptOf(work, id))));
const rows = (document: ReturnType<typeof documentIn>) =>
	document.lines.map(({ description, net }) => [description, net]);

test("the document of a receipt shows each use of the money, and the sum of its lines is the amount", async () => {
	const world = receiptWorld();
	const [one, two] = [world.bill(60), world.bill(90)];
	const { receiptId } = (
		await world.record({
			...{ amount: 170, method: "BANK_TRANSFER", reference: "s-1", receivedDate: "2026-02-18T00:00:00Z" },
			allocations: [
				{ invoiceId: one.id, amount: 60 },
				{ invoiceId: two.id, amount: 80 },
			],
		})
	).data;
	const document = documentIn(world, receiptId);
	expect(document).toMatchObject({
		title: "Receipt",
		number: "R-000001",
		customerLabel: "Received from",
		facts: [
			{ label: "Receipt number", value: "R-000001" },
			{ label: "Received on", value: "18 Feb 2026" },
			{ label: "Payment method", value: "Bank transfer" },
			{ label: "Payment reference", value: "s-1" },
		],
		headline: "$170.00 USD received on 18 Feb 2026",
		totals: [{ label: "Amount received", value: "$170.00 USD" }],
	});
	expect(rows(document)).toEqual([
		[`Invoice ${one.number}`, "$60.00"],
		[`Invoice ${two.number}`, "$80.00"],
		["Not allocated yet", "$30.00"],
	]);
	const [page = ""] = pageTexts(renderPdf(document));
	for (const text of ["Receipt", "R-000001", `Invoice ${one.number}`, "$60.00", "Amount"]) expect(page).toContain(text);
	expect(page).not.toContain("Qty");
});

test("later refunds, withdrawals and undone allocations change the document and its revision", async () => {
	const world = receiptWorld();
	const invoice = world.bill(60);
	const allocations = [{ invoiceId: invoice.id, amount: 60 }];
	const recorded = (await world.record({ allocations })).data;
	const before = documentIn(world, recorded.receiptId);
	const refund = (await world.post(`/receipts/${recorded.receiptId}/refunds`, { amount: 15 })).data;
	await world.post(`/receipts/${recorded.receiptId}/allocations`, { excess: "BALANCE" });
	const path = `/receipts/${recorded.receiptId}/allocations/${recorded.allocations[0].allocationId}/reverse`;
	await world.post(path, { amount: 20 });
	const after = documentIn(world, recorded.receiptId);
	expect(after.revision).not.toBe(before.revision);
	expect(rows(after)).toEqual([
		[`Invoice ${invoice.number}`, "$40.00"],
		["Added to your balance", "$25.00"],
		["Not allocated yet", "$20.00"],
		["Refunded or withdrawn", "$15.00"],
	]);
	expect(documentIn(world, refund.receiptId)).toMatchObject({
		title: "Refund",
		number: "R-000002",
		customerLabel: "Refunded to",
		headline: "$15.00 USD refunded on 20 Feb 2026",
		lines: [{ description: "Receipt R-000001", net: "$15.00" }],
	});
	const withdrawn = await world.post(`/receipts/${recorded.receiptId}/return`, { reason: "CHARGEBACK" });
	expect(documentIn(world, withdrawn.data.receiptId)).toMatchObject({
		title: "Withdrawal",
		totals: [{ label: "Amount withdrawn", value: "$85.00 USD" }],
	});
});

test("the document is in the customer's language", async () => {
	const world = receiptWorld();
	await world.call("PATCH", "/customers/cust-1", { body: { language: "de" } });
	const { receiptId } = (await world.record({ method: "CARD" })).data;
	const { title, facts, headline } = documentIn(world, receiptId);
	expect(title).toBe("Zahlungsbeleg");
	expect(facts[2]).toEqual({ label: "Zahlungsart", value: "Karte" });
	expect(headline.replaceAll("\u00a0", " ")).toBe("100,00 $ USD eingegangen am 20.02.2026");
});
