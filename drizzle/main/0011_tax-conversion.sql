ALTER TABLE `credit_notes` ADD `tax_conversion` text;--> statement-breakpoint
ALTER TABLE `invoices` ADD `tax_conversion` text;--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `tax_currency` text;--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `exchange_rates` text DEFAULT '[]' NOT NULL;