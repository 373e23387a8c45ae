import { expect, test } from "bun:test";
import { renderAsked } from "../../../support/process";
import { receiptWorld } from "./receipt-world";

test("GET …/pdf renders a receipt, and again after the receipt has changed", async () => {
	const world = receiptWorld();
	const { receiptId } = (await world.record({})).data;
	const pdf = async () => {
		const answer = world.call("GET", `/receipts/${receiptId}/pdf`, { key: world.scopedKey("INVOICE:READ") });
		await renderAsked(world);
		await world.runRenderer();
		return answer;
	};
	const first = await pdf();
	expect(first.status).toBe(200);
	expect(first.headers.get("content-type")).toBe("application/pdf");
	expect(first.headers.get("content-disposition")).toBe('inline; filename="R-000001.pdf"');
	expect(first.body).toStartWith("%PDF-");
	// It is rendered, so the second call gets the same bytes at once.
	expect((await world.call("GET", `/receipts/${receiptId}/pdf`)).body).toBe(first.body);
	await world.post(`/receipts/${receiptId}/refunds`, { amount: 15 });
	const second = await pdf();
	expect(second.status).toBe(200);
	expect(second.body).not.toBe(first.body);
});

test("GET …/pdf refuses an unknown receipt, a key without the scope, and a key of another environment", async () => {
	const world = receiptWorld();
	const { receiptId } = (await world.record({})).data;
	expect((await world.call("GET", "/receipts/none/pdf")).status).toBe(404);
	const key = world.scopedKey("CUSTOMER:READ");
	expect((await world.call("GET", `/receipts/${receiptId}/pdf`, { key })).status).toBe(403);
});
