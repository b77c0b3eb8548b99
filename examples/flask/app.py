import os

from flask import Flask, abort, render_template, request
from stile import Stile

CAPTCHA_URL = os.environ["CAPTCHA_URL"]
app = Flask(__name__, template_folder=".")
stile = Stile(secret_key=os.environ["STILE_SECRET"], base_url=CAPTCHA_URL)


@app.get("/")
def page():
    return render_template("index.html", captcha=CAPTCHA_URL, site_key=os.environ["SITE_KEY"])


@app.post("/sign-up")
def sign_up():
    if not stile.verify_request(request.form, request.environ):
        abort(403)
    return f"Welcome, {request.form['email']}", {"Content-Type": "text/plain"}
