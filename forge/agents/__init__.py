"""One file per role: render, ask, parse. The call itself is the gateway's; a faulty answer is a typed outcome."""
