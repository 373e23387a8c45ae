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

	protected get caller(): Caller {
		const token = this.getAttribute("token");
		return {
			base: this.getAttribute("base") ?? ownOrigin,
			...(token
				? { token }
				: {
						key: this.getAttribute("publishable-key"),
						customerId: this.getAttribute("customer-id"),
						customerToken: this.getAttribute("customer-token"),
					}),
		};
	}

	protected abstract content(): ComponentChild | Promise<ComponentChild>;
}

customElements.define(
	"tollgate-pricing-table",
	class extends Widget {
		protected content() {
			const of = (name: string) => this.getAttribute(name);
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

customElements.define(
	"tollgate-portal",
	class extends Widget {
		protected async content() {
			const { caller } = this;
			const { token, key, customerId, customerToken } = caller;
			// Frameworks set attributes one by one.
			if (!token && !(key && customerId && customerToken)) return null;
			// Most pages show only prices, so the portal is loaded on demand.
			const { Portal } = await import("./portal");
			return (
				<Portal
					key={JSON.stringify(caller)}
					caller={caller}
					language={this.getAttribute("language")}
					manageUrl={this.getAttribute("manage-url")}
				/>
			);
		}
	},
);
