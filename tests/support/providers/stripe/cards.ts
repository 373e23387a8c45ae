/** A test card or test account of the provider, and its behaviour. */
export interface TestMethod {
	readonly number: string;
	readonly kind: "card" | "sepa_debit";
	readonly brand: string;
	readonly country: string;
	/** The names of its ready payment method (`pm_card_visa`) and token (`tok_visa`), without the prefix. */
	readonly names: readonly string[];
	/** Every charge is declined with this code; of a card with `attaches`, saving it succeeds at the provider too. */
	readonly decline?: { readonly code: string; readonly declineCode: string | null; readonly message: string };
	readonly authentication?: "always" | "unless set up";
	readonly dispute?: "fraudulent" | "product_not_received" | "inquiry";
	readonly refund?: "pending" | "fails";
	/** The direct debit: its end. */
	readonly debit?: "succeeds" | "fails" | "disputed";
}

const declined = (declineCode: string, message = "Your card was declined.") => ({
	code: "card_declined",
	declineCode,
	message,
});

const card = (number: string, names: readonly string[], more: Partial<TestMethod> = {}): TestMethod => ({
	...{ number, names, kind: "card", brand: "visa", country: "US" },
	...more,
});

/** The test cards and test accounts that the provider documents (https://docs.stripe.com/testing). */
export const testMethods: readonly TestMethod[] = [
	card("4242424242424242", ["card_visa", "visa"]),
	card("4000056655665556", ["card_visa_debit", "visa_debit"]),
	card("5555555555554444", ["card_mastercard", "mastercard"], { brand: "mastercard" }),
	card("378282246310005", ["card_amex", "amex"], { brand: "amex" }),
	card("4000002760000016", ["card_de", "de"], { country: "DE" }),
	card("4000000000000077", ["card_bypassPending", "bypassPending"]),
	card("4000000000000002", ["card_visa_chargeDeclined", "card_chargeDeclined", "chargeDeclined"], {
		decline: declined("generic_decline"),
	}),
	card("4000000000000341", ["card_chargeCustomerFail", "chargeCustomerFail"], {
		decline: declined("generic_decline"),
	}),
	card("4000000000009995", ["card_visa_chargeDeclinedInsufficientFunds", "chargeDeclinedInsufficientFunds"], {
		decline: declined("insufficient_funds", "Your card has insufficient funds."),
	}),
	card("4000000000009987", ["card_visa_chargeDeclinedLostCard", "chargeDeclinedLostCard"], {
		decline: declined("lost_card"),
	}),
	card("4000000000009979", ["card_visa_chargeDeclinedStolenCard", "chargeDeclinedStolenCard"], {
		decline: declined("stolen_card"),
	}),
	card("4000000000000069", ["card_chargeDeclinedExpiredCard", "chargeDeclinedExpiredCard"], {
		decline: { code: "expired_card", declineCode: "expired_card", message: "Your card has expired." },
	}),
	card("4000000000000127", ["card_chargeDeclinedIncorrectCvc", "chargeDeclinedIncorrectCvc"], {
		decline: {
			code: "incorrect_cvc",
			declineCode: "incorrect_cvc",
			message: "Your card's security code is incorrect.",
		},
	}),
	card("4000000000000119", ["card_chargeDeclinedProcessingError", "chargeDeclinedProcessingError"], {
		decline: {
			code: "processing_error",
			declineCode: "processing_error",
			message: "An error occurred while processing your card. Try again in a little bit.",
		},
	}),
	card("4100000000000019", ["card_radarBlock", "radarBlock"], { decline: declined("fraudulent") }),
	card("4000002500003155", ["card_authenticationRequiredOnSetup", "authenticationRequiredOnSetup"], {
		authentication: "unless set up",
	}),
	card("4000002760003184", ["card_authenticationRequired", "authenticationRequired"], { authentication: "always" }),
	card("4000000000003220", ["card_threeDSecure2Required", "threeDSecure2Required"], { authentication: "always" }),
	card("4000008260003178", ["card_authenticationRequiredChargeDeclinedInsufficientFunds"], {
		authentication: "unless set up",
		decline: declined("insufficient_funds", "Your card has insufficient funds."),
	}),
	card("4000000000000259", ["card_createDispute", "createDispute"], { dispute: "fraudulent" }),
	card("4000000000002685", ["card_createDisputeProductNotReceived", "createDisputeProductNotReceived"], {
		dispute: "product_not_received",
	}),
	card("4000000000001976", ["card_createDisputeInquiry", "createDisputeInquiry"], { dispute: "inquiry" }),
	card("4000000000007726", ["card_pendingRefund", "pendingRefund"], { refund: "pending" }),
	card("4000000000005126", ["card_refundFail", "refundFail"], { refund: "fails" }),
	...(
		[
			["AT611904300234573201", "succeeds"],
			["AT861904300235473202", "fails"],
			["AT591904300235473203", "disputed"],
			["DE89370400440532013000", "succeeds"],
			["DE62370400440532013001", "fails"],
		] as const
	).map(
		([number, debit]): TestMethod => ({
			...{ number, names: [], kind: "sepa_debit", brand: "", country: number.slice(0, 2), debit },
		}),
	),
];

export const findByNumber = (number: string): TestMethod | undefined => {
	const plain = number.replace(/\s/g, "").toUpperCase();
	return testMethods.find((method) => method.number === plain);
};

/** Finds the test card of a ready payment method or token: `pm_card_visa`, `tok_visa`. */
export const findByName = (id: string): TestMethod | undefined => {
	const name = id.replace(/^(pm|tok)_/, "");
	return testMethods.find(({ names }) => names.includes(name));
};
