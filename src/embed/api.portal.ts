import type { OwnAttempt, OwnMethod, PortalPayment, ProviderPage } from "../areas/portal/payment/schema";
import type {
	Branding,
	PortalBilling,
	PortalChange,
	PortalInvoice,
	PortalOptions,
	PortalOverview,
	PortalPreview,
	PortalReceipt,
} from "../areas/portal/schema";
import type { Checkout, CheckoutConfirmed, CheckoutDetails, CheckoutPreview } from "../areas/portal/schema.checkout";
import { type Caller, data, send } from "./api";

export type {
	Branding,
	Checkout,
	CheckoutDetails,
	CheckoutPreview,
	OwnAttempt,
	OwnMethod,
	PortalBilling,
	PortalChange,
	PortalInvoice,
	PortalOptions,
	PortalOverview,
	PortalPayment,
	PortalPreview,
	PortalReceipt,
};

export type OwnSubscription = PortalOverview["subscriptions"][number];

const of = (id: string) => `/portal/subscriptions/${encodeURIComponent(id)}`;

const ofMethod = (id: string) => `/portal/payment/methods/${encodeURIComponent(id)}`;

const shownAt = ({ token, customerId }: Caller) =>
	token ? "/portal" : `/customers/${encodeURIComponent(customerId ?? "")}/portal`;

export const portalApi = (caller: Caller) => ({
	/** Whether the caller can only read, which holds for publishable keys. */
	onlyShows: !caller.token,
	overview: () => data<PortalOverview>(caller, "GET", shownAt(caller)),
	branding: () => data<Branding>(caller, "GET", "/portal/branding"),
	options: (id: string) => data<PortalOptions>(caller, "GET", `${of(id)}/options`),
	preview: (id: string, change: PortalChange) => data<PortalPreview>(caller, "POST", `${of(id)}/preview`, change),
	change: (id: string, change: PortalChange) => data<object>(caller, "POST", `${of(id)}/change`, change),
	cancel: (id: string) => data<object>(caller, "POST", `${of(id)}/cancel`),
	keep: (id: string) => data<object>(caller, "POST", `${of(id)}/keep`),
	updateBilling: (body: object) => data<PortalBilling>(caller, "PATCH", "/portal/billing", body),
	payment: () => data<PortalPayment>(caller, "GET", "/portal/payment"),
	addMethod: () => data<ProviderPage>(caller, "POST", "/portal/payment/page"),
	chooseMethod: (id: string) => data<PortalPayment>(caller, "POST", `${ofMethod(id)}/default`),
	removeMethod: (id: string) => data<PortalPayment>(caller, "DELETE", ofMethod(id)),
	pay: (id: string) => data<OwnAttempt>(caller, "POST", `/portal/invoices/${encodeURIComponent(id)}/pay`),
	receipts: async (after: string | null) =>
		(await (
			await send(caller, "GET", `${shownAt(caller)}/receipts?limit=10${after ? `&after=${after}` : ""}`)
		).json()) as {
			data: PortalReceipt[];
			pagination: { next: string | null };
		},
	invoices: async (after: string | null) =>
		(await (
			await send(caller, "GET", `${shownAt(caller)}/invoices?limit=10${after ? `&after=${after}` : ""}`)
		).json()) as {
			data: PortalInvoice[];
			pagination: { next: string | null };
		},
	pdf: async (of: "invoices" | "receipts", id: string) =>
		await (await send(caller, "GET", `${shownAt(caller)}/${of}/${encodeURIComponent(id)}/pdf`)).blob(),
});
export type PortalApi = ReturnType<typeof portalApi>;

export const checkoutApi = (caller: Caller) => ({
	read: () => data<Checkout>(caller, "GET", "/checkout"),
	branding: () => data<Branding>(caller, "GET", "/checkout/branding"),
	preview: (details: CheckoutDetails) => data<CheckoutPreview>(caller, "POST", "/checkout/preview", details),
	confirm: (body: CheckoutDetails & { readonly offer: string }) =>
		data<CheckoutConfirmed>(caller, "POST", "/checkout/confirm", body),
});
