import { Elysia } from "elysia";
import { identity, type Permit } from "../../http/identity";
import { single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { checkoutOperations as operations } from "./openapi";
import { confirmCheckout, previewCheckout, readCheckout } from "./operations.checkout";
import { readBranding } from "./operations.overview";
import { Branding } from "./schema";
import { Checkout, CheckoutConfirm, CheckoutConfirmed, CheckoutDetails, CheckoutPreview } from "./schema.checkout";

/** Routes for the link to an order. The link identifies the order, so no route names one. */
const permit: Permit = { session: "CHECKOUT" };
/** The rate limit also prevents guessing of coupons. */
const limited: Permit = { ...permit, limitedBy: "session" };

export const checkoutRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/checkout", tags: ["Checkout"], normalize: false })
		.use(identity(services))
		.get("", ({ read }) => read((work) => ({ data: readCheckout(work) })), {
			detail: operations.read,
			permit,
			response: single(Checkout),
		})
		.get("/branding", ({ read }) => read((work) => ({ data: readBranding(work) })), {
			detail: operations.branding,
			permit,
			response: single(Branding),
		})
		.post("/preview", ({ write, body }) => write((work) => ({ data: previewCheckout(work, body) })), {
			detail: operations.preview,
			permit: limited,
			body: CheckoutDetails,
			response: single(CheckoutPreview),
		})
		.post("/confirm", ({ write, body }) => write((work) => ({ data: confirmCheckout(work, body) })), {
			detail: operations.confirm,
			permit: limited,
			body: CheckoutConfirm,
			response: single(CheckoutConfirmed),
		});
