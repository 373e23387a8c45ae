ALTER TABLE `customer_sessions` ADD `budgets` text;--> statement-breakpoint
ALTER TABLE `customer_sessions` ADD `entity_id` text REFERENCES entities(id);--> statement-breakpoint
ALTER TABLE `customer_sessions` ADD `person_id` text;