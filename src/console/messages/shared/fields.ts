import { inLanguage } from "../language";

export const t = inLanguage({
	en: {
		id: "Id",
		name: "Name",
		status: "Status",
		created: "Created",
		actions: "Actions",
		none: "None",
		never: "never",
		daysCount: "{count} days",
		requestId: "Request id",
	},
	de: {
		id: "Kennung",
		name: "Name",
		status: "Status",
		created: "Angelegt",
		actions: "Aktionen",
		none: "Keine",
		never: "nie",
		daysCount: "{count} Tagen",
		requestId: "Anfrage-Kennung",
	},
});
