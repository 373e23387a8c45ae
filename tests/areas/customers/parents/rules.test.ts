import { expect, test } from "bun:test";
import { assertParent } from "../../../../src/areas/customers/parents/rules";

const child = { id: "1", refId: "north" };
const parent = { id: "2", refId: "acme", parentCustomerId: null };

test.each([
	[{ siblings: 999, memberships: 9_999 }, undefined],
	[{ siblings: 1_000, memberships: 1_000 }, "body/parentCustomerId: The customer 'acme' has 1000 children"],
	[{ siblings: 1, memberships: 10_000 }, "body/parentCustomerId: Customers were placed under 'acme' 10000 times"],
])("a parent with %o: %s", (counts, message) => {
	const place = () => assertParent(child, { parent, child: undefined, ...counts }, "body/parentCustomerId");
	if (message === undefined) expect(place).not.toThrow();
	else expect(place).toThrow(message);
});
