import { type ComponentChild, render } from "preact";
import type { Caller } from "./api";
import { wordsIn } from "./messages";
import { Reading } from "./parts";
import { PricingTable } from "./pricing-table";
import { styleSheet } from "./styles";

const ownOrigin = new URL(import.meta.url).origin;

/** Renders in a shadow root, and again when an attribute changes. */
abstract class Widget extends HTMLElement {
	static observedAttributes = [
		"publishable-key",
		"token",
		"customer-id",
		"customer-token",
		"manage-url",
		"product",
		"country",
		"currency",
		"period",
		"language",
		"base",
		"read-only",
	];
	readonly #root = this.attachShadow({ mode: "open" });

	connectedCallback(): void {
		this.#root.adoptedStyleSheets = [styleSheet()];
		void this.#draw();
	}

	disconnectedCallback(): void {
		render(null, this.#root);
	}

	attributeChangedCallback(): void {
		if (this.isConnected) void this.#draw();
	}

	async #draw(): Promise<void> {
		const drawn = await this.content();
		if (this.isConnected) render(drawn, this.#root);
	}

	protected readonly of = (name: string): string | null => this.getAttribute(name);

	protected get caller(): Caller {
		const { of } = this;
		const token = of("token");
		return {
			base: of("base") ?? ownOrigin,
			...(token
				? { token }
				: { key: of("publishable-key"), customerId: of("customer-id"), customerToken: of("customer-token") }),
		};
	}

	protected abstract content(): ComponentChild | Promise<ComponentChild>;
}

customElements.define(
	"tollgate-pricing-table",
	class extends Widget {
		protected content() {
			const { of } = this;
			return (
				<Reading.Provider value={wordsIn(of("language"), document.documentElement.lang)}>
					<PricingTable
						caller={this.caller}
						product={of("product")}
						country={of("country")}
						currency={of("currency")}
						period={of("period")?.toUpperCase() ?? "MONTHLY"}
						choose={(detail) =>
							this.dispatchEvent(new CustomEvent("choose", { detail, bubbles: true, composed: true }))
						}
					/>
				</Reading.Provider>
			);
		}
	},
);

/** Widgets for a customer: the portal, or only its budgets, which need a link. */
const defineForCustomer = (name: string, showsBudgets: boolean): void =>
	customElements.define(
		name,
		class extends Widget {
			protected async content() {
				const { caller, of } = this;
				const { token, key, customerId, customerToken } = caller;
				// Frameworks set attributes one by one.
				if (!token && (showsBudgets || !(key && customerId && customerToken))) return null;
				// Most pages show only prices, so the portal is loaded on demand.
				const { Portal } = await import("./portal");
				return (
					<Portal
						key={JSON.stringify(caller)}
						caller={caller}
						language={of("language")}
						manageUrl={of("manage-url")}
						showsBudgets={showsBudgets}
						isReadOnly={of("read-only") !== null}
					/>
				);
			}
		},
	);

defineForCustomer("tollgate-portal", false);
defineForCustomer("tollgate-budgets", true);
